import assert from "node:assert/strict";
import { checkParameters } from "../../../tools/layout/parameters.ts";
import { placesOf, treeOf } from "./tree_of.ts";

const PATH = "src/wire/edge.ts";

Deno.test.each([
  { code: "export function a() {}" },
  { code: "export function a(b: number, c: string) {}" },
  { code: "export function a(b: number, c: string, options: Options = {}) {}" },
  { code: "export function a(b: number, c: string, { d }: { d: number }) {}" },
  { code: "export function a(b: number, c: string, said: { readonly d: number }) {}" },
  { code: "export function a(b: Map<string, number>, c: [number, string, number]) {}" },
  { code: "export function a(b: (c: number, d: number) => void, e: { f: 1; g: 2 }) {}" },
  { code: "export function a<B, C, D>(b: B) {}" },
  { code: 'export function a(b = "x, y, z", c = 1) {}' },
  { code: "export async function a(\n  b: number,\n  c: string,\n): Promise<void> {}" },
  { code: "export const a = (b: number, c: number) => b + c;" },
  { code: "export const a = (1 + 2) * 3;" },
  { code: "function a(b: number, c: number, d: number) {}" },
  { code: "// export function a(b: number, c: number, d: number) {}" },
])("checkParameters: allows $code", ({ code }) => {
  assert.deepEqual(checkParameters(treeOf({ [PATH]: `${code}\n` })), []);
});

Deno.test.each([
  { code: "export function a(b: number, c: number, d: number) {}", count: 3 },
  { code: "export function a(b: 1, c: 2, d: 3, options: Options) {}", count: 3 },
  {
    code: "export async function a(\n  b: number,\n  c: string,\n  d: () => void,\n) {}",
    count: 3,
  },
  { code: "export function* a(b: 1, c: 2, d: 3, e: 4) {}", count: 4 },
  { code: "export function a<B, C>(b: B, c: C, d: Map<B, C>): void {}", count: 3 },
  { code: "export function a(b: (c: 1) => void, d: 2, e: 3): void {}", count: 3 },
  { code: "export const a = (b: 1, c: 2, d: 3) => b;", count: 3 },
  { code: "export const a: A = async (b, c, d) => {};", count: 3 },
])("checkParameters: refuses $code", ({ code, count }) => {
  const problems = checkParameters(treeOf({ [PATH]: `\n${code}\n` }));
  assert.deepEqual(placesOf(problems), [`${PATH}:2`]);
  assert.match(problems[0]?.message ?? "", new RegExp(`^a has ${count} positional`));
});
