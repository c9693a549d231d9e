/**
 * Why a file cannot be read, in words for people.
 *
 * @module
 */

const REASONS: Readonly<Record<string, string>> = {
  NotFound: "does not exist",
  PermissionDenied: "may not be read: the operating system denies it",
  NotCapable: "may not be read: --allow-read does not cover it",
  IsADirectory: "is a folder",
  InvalidData: "is not UTF-8 text",
};

/** From what reading it threw. The system's own text may name other paths, so only its kind is told. */
export function unreadableReason(error: unknown): string {
  const kind = error instanceof Error ? error.name : "";
  return (Object.hasOwn(REASONS, kind) ? REASONS[kind] : undefined) ?? "cannot be read";
}
