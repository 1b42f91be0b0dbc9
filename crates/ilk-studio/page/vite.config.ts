import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// Three files with fixed names, which the server holds in itself.
export default defineConfig({
  plugins: [svelte()],
  build: {
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    rollupOptions: {
      output: {
        entryFileNames: "studio.js",
        assetFileNames: (asset) => (asset.names.some((name) => name.endsWith(".css")) ? "studio.css" : "[name][extname]"),
      },
    },
  },
});
