/**
 * A systemd unit's settings.
 *
 * @module
 */

/** The values of every setting, by section and name, in order. */
export function unitOf(text: string): ReadonlyMap<string, readonly string[]> {
  const settings = new Map<string, string[]>();
  let section = "";
  for (const line of text.split("\n")) {
    const heading = /^\[(\w+)\]$/.exec(line)?.[1];
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (heading !== undefined) section = heading;
    else if (name !== undefined && value !== undefined) {
      const key = `${section}.${name}`;
      settings.set(key, [...settings.get(key) ?? [], value]);
    } else if (line !== "" && !line.startsWith("#")) {
      throw new SyntaxError(`not a setting: ${line}`);
    }
  }
  return settings;
}
