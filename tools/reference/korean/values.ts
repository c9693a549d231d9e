/**
 * What a field's value may be, in Korean.
 *
 * @module
 */

const WHOLE: ReadonlyMap<string, string> = new Map([
  ["true or false", "true 또는 false"],
  ["a text", "문자열"],
  ["a text of one line", "한 줄로 된 문자열"],
  ["the path of a file or folder", "파일이나 폴더의 경로"],
  ["the name of a model", "모델 이름"],
  ['a path that begins with "/"', '"/"로 시작하는 경로'],
  [
    'a duration, such as "30s", "1m30s", "250ms" or "0"',
    '"30s", "1m30s", "250ms", "0" 같은 시간',
  ],
  [
    'a duration above zero, such as "30s", "1m30s" or "250ms"',
    '"30s", "1m30s", "250ms" 같은 0보다 긴 시간',
  ],
  [
    'a date and time with a zone, such as "2027-01-01T00:00:00Z"',
    '"2027-01-01T00:00:00Z"처럼 시간대가 있는 날짜와 시각',
  ],
  [
    'an address such as "0.0.0.0:8080" or "[::1]:8080", or a list of them',
    '"0.0.0.0:8080"이나 "[::1]:8080" 같은 주소, 또는 그 목록',
  ],
  ["a SHA-256 digest of 64 hexadecimal digits", "16진수 64자리로 된 SHA-256 다이제스트"],
  [
    "a credential of visible ASCII characters without spaces",
    "공백을 제외한 출력 가능한 ASCII 문자로 된 자격 증명",
  ],
  ["a header value of printable ASCII characters", "출력 가능한 ASCII 문자로 된 헤더 값"],
  [
    'a name of letters, digits, ".", "_", ":", "@" and "-", at most 128',
    '영문자, 숫자, ".", "_", ":", "@", "-"로 된 128자 이하의 이름',
  ],
  [
    'an id of letters, digits, ".", "_", ":", "@" and "-", at most 128, other than anonymous',
    '영문자, 숫자, ".", "_", ":", "@", "-"로 된 128자 이하의 id. anonymous는 제외',
  ],
  ['a user name without ":"', '":"이 없는 사용자 이름'],
  ["a password of one line", "한 줄로 된 비밀번호"],
  ["a number above 0 and at most 1", "0보다 크고 1 이하인 수"],
  ["a mapping", "매핑"],
  ["a mapping of header names to texts", "헤더 이름과 문자열의 매핑"],
  ["a mapping of names to numbers", "이름과 수의 매핑"],
  ["a mapping of names to whole numbers", "이름과 정수의 매핑"],
  ["a list of host names", "호스트 이름 목록"],
  ["a list of origins", "origin 목록"],
  ["a list of HTTP tokens", "HTTP 토큰 목록"],
  ["a list of HTTP statuses", "HTTP 상태 코드 목록"],
  ["a list of model names", "모델 이름 목록"],
  ["a list of backend names", "백엔드 이름 목록"],
  ["a list of capabilities", "기능 목록"],
]);

const PATTERNS: readonly (readonly [pattern: RegExp, korean: string])[] = [
  [/^one of (.+)$/, "$1 중 하나"],
  [/^a whole number from (\d+) to (\d+)$/, "$1 이상 $2 이하의 정수"],
  [/^a URL with (.+), such as (".+")$/, "$2 같은 URL. 스킴은 $1 중 하나"],
];
const NONE = ', or "" for none';

/** @throws {Error} When there is no Korean for it yet. */
export function koreanValue(allowed: string): string {
  if (allowed.endsWith(NONE)) {
    return `${koreanValue(allowed.slice(0, -NONE.length))}, 또는 없음을 뜻하는 ""`;
  }
  const whole = WHOLE.get(allowed);
  if (whole !== undefined) return whole;
  for (const [pattern, korean] of PATTERNS) {
    if (pattern.test(allowed)) return allowed.replace(pattern, korean);
  }
  throw new Error(`no Korean for the value: ${allowed}`);
}
