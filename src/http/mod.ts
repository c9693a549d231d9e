/** HTTP: the app, the error table, request ids. @module */
export * from "./errors.ts";
