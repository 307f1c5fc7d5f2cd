import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/node_modules/"] },
  js.configs.recommended,
  {
    files: ["undoku/player/script/**/*.js"],
    languageOptions: { globals: globals.browser },
    rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error", "no-eval": "error",
      "no-implied-eval": "error", "no-shadow": "error" },
  },
  { files: ["tests/**", "**/eslint.config.js"], languageOptions: { globals: globals.node } },
];
