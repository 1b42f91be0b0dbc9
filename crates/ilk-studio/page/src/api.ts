// What the server says and takes; schema.json describes the same.

export type Kind = "pair" | "triplet" | "group" | "label";
export type By = "answers" | "model";

export interface Row {
  point: number;
  id: string;
  cells: string[];
}

export interface Question {
  id: string;
  kind: Kind;
  purpose: "learn" | "judge" | "repeat" | "confirm";
  why: string;
  rows: Row[];
}

export interface Progress {
  revision: number;
  agreement: { agreeing: number; total: number; low: number; high: number } | null;
  expected_gain: number | null;
  ahead: number;
  enough: boolean;
}

export interface State {
  data: string;
  n_rows: number;
  columns: string[];
  spreads: (number | null)[];
  features: string[];
  has_images: boolean;
  data_changed: boolean;
  revision: number;
  kind: Kind;
  n_answers: number;
  n_missing: number;
  n_contradictions: number;
  question: Question | null;
  progress: Progress | null;
  fitted: number | null;
}

export interface Taken {
  entry: number;
  repeated: boolean;
  revision: number;
  question: Question | null;
}

export interface Entry {
  entry: number;
  at: string;
  question: string | null;
  standing: "counts" | "deleted" | "missing";
  missing: string | null;
  purpose: string | null;
  annotator: string | null;
  note: string;
  rows: string[];
  others: string[];
  points: (number | null)[];
  kind: Kind | null;
  answer: unknown;
  sentence: string;
}

export interface Contradictions {
  total: number;
  contradictions: { text: string; entries: number[]; likeliest_wrong: number | null }[];
}

export interface Cluster {
  colour: number;
  name: string | null;
  done: boolean;
  size: number;
  typical: string[];
  features: { name: string; difference: number }[];
}

export interface Clusters {
  revision: number;
  stale: boolean;
  labels: (number | null)[];
  confidence: number[];
  clusters: Cluster[];
}

export interface Places {
  axes: [string, string] | null;
  ids: string[];
  x: number[];
  y: number[];
}

export interface Rows {
  columns: string[];
  total: number;
  rows: Row[];
}

export interface Explanation {
  id: string;
  cluster: number | null;
  nearest: { point: number; id: string; distance: number; cluster: number | null }[];
  answers: string[];
  runner_up: { cluster: number; nearest_row: string } | null;
  confidence: number;
}

export interface Methods {
  revision: number;
  stale: boolean;
  seconds: number;
  members: { member: string; score: number | null; weight: number }[];
}

export type Notice =
  | { event: "changed" | "clusters" | "judged" | "cancelled"; revision: number }
  | { event: "progress"; revision: number; stage: string; finished: number; total: number }
  | { event: "fitted"; revision: number; seconds: number }
  | { event: "failed"; revision: number; reason: string };

export type Answer =
  | "same"
  | "different"
  | "equal"
  | "skip"
  | "cannot_tell"
  | { odd: string }
  | { together: string[] }
  | { label: string };

/** What the server refused, with its status. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

async function result<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as T;
  let message = text;
  try {
    message = (JSON.parse(text) as { error: string }).error;
  } catch {
    // It is the text itself.
  }
  throw new Refused(response.status, message || response.statusText);
}

export async function get<T>(path: string): Promise<T> {
  return result(await fetch(path));
}

export async function post<T>(path: string, body: unknown = {}): Promise<T> {
  return result(
    await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}
