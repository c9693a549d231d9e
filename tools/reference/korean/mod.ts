/**
 * The reference in Korean.
 *
 * @module
 */

import type { Language } from "../language.ts";
import { KOREAN_DESCRIPTIONS } from "./descriptions.ts";
import { koreanValue } from "./values.ts";

const HEAD = `# 설정

[English](configuration.md)

<!-- Written by tools/config_reference.ts; a test compares the two. -->

설정 파일의 모든 필드입니다. 각 섹션을 실제로 쓴 모습은 [config.yaml](../config.yaml)에 있습니다. 알
수 없는 키는 오류입니다. 값 안의 \`\${VAR}\`와 \`\${VAR:-default}\`는 환경 변수의 값으로 치환되며, \`\${\`
자체는 \`$\${\`로 씁니다. 시간은 \`"0"\`이거나 정수에 \`ms\`, \`s\`, \`m\`, \`h\`, \`d\`를 붙인 값이고,
\`"1m30s"\`처럼 이어 쓸 수 있습니다.

\`[]\`는 목록의 각 항목을, \`*\`는 직접 정하는 이름을 뜻합니다. 기본값이 없는 필드는 그 필드가 속한
섹션이나 항목에서 "필수"이거나 "선택"입니다.

"리로드" 열은 SIGHUP이나 \`POST /admin/reload\` 뒤에 변경이 언제 적용되는지를 나타냅니다.
\`immediate\`는 다음 요청부터, \`gradual\`은 실행 중인 세션을 끊지 않고, \`restart\`는 다음 시작부터
적용됩니다. 자세한 내용은 [operations.md](operations.md)에 있습니다.
`;

const UNITS: ReadonlyMap<string, string> = new Map([
  ["duration", "시간"],
  ["sessions", "세션"],
  ["requests per minute", "분당 요청"],
  ["date and time with a zone", "시간대가 있는 날짜와 시각"],
  ["tokens", "토큰"],
  ["probes", "프로브"],
  ["failures", "실패"],
  ["requests", "요청"],
  ["seconds", "초"],
  ["records", "레코드"],
]);

/** See the module. */
export const KOREAN: Language = {
  head: HEAD,
  headings: ["필드", "기본값", "값", "단위", "리로드", "의미"],
  presence: { required: "필수", optional: "선택" },
  masked: "표시할 때는 항상 가립니다.",
  describe: ({ path }) => textOf(KOREAN_DESCRIPTIONS[path], `the field ${path}`),
  value: koreanValue,
  unit: (unit) => textOf(UNITS.get(unit), `the unit ${unit}`),
};

function textOf(text: string | undefined, of: string): string {
  if (text === undefined) throw new Error(`no Korean for ${of}`);
  return text;
}
