/**
 * The grammar of a JSON number (RFC 8259 §6), byte by byte.
 *
 * @module
 */

/** What a number has come to, named after its last byte. */
export type NumberPart =
  | "start"
  | "minus"
  | "zero"
  | "integer"
  | "point"
  | "fraction"
  | "e"
  | "sign"
  | "exponent";

const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_E = 0x65;

/** The part after this byte; undefined when the byte cannot belong to the number. */
export function nextNumberPart(part: NumberPart, byte: number): NumberPart | undefined {
  const digit = isDigit(byte);
  switch (part) {
    case "start":
      if (byte === MINUS) return "minus";
      return nextNumberPart("minus", byte);
    case "minus":
      if (byte === ZERO) return "zero";
      return digit ? "integer" : undefined;
    case "zero":
      return afterInteger(byte);
    case "integer":
      return digit ? part : afterInteger(byte);
    case "point":
      return digit ? "fraction" : undefined;
    case "fraction":
      if (digit) return part;
      return isE(byte) ? "e" : undefined;
    case "e":
      if (byte === PLUS || byte === MINUS) return "sign";
      return digit ? "exponent" : undefined;
    case "sign":
    case "exponent":
      return digit ? "exponent" : undefined;
  }
}

/** Whether a number may end there. */
export function mayEndNumber(part: NumberPart): boolean {
  return part === "zero" || part === "integer" || part === "fraction" || part === "exponent";
}

/** Whether it is one of `0` to `9`. */
export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

function afterInteger(byte: number): NumberPart | undefined {
  if (byte === POINT) return "point";
  return isE(byte) ? "e" : undefined;
}

function isE(byte: number): boolean {
  return (byte | 0x20) === LOWER_E;
}
