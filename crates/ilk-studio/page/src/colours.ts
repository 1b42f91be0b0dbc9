// Colours that stay apart on light and on dark ground; after them, hues in steps of the golden angle.
const FIRST = ["#3b82d6", "#e07b28", "#2fa36b", "#d1495b", "#8e6bd1", "#b08a2e", "#d267a8", "#3fa7b5", "#7f8c3a", "#a0654a"];

export function colour(number: number | null): string {
  if (number === null) return "#888888";
  return FIRST[number] ?? `hsl(${(number * 137.508) % 360} 55% 52%)`;
}
