/**
 * `deno task docs:config`: writes the reference of the configuration, `docs/configuration.md` and its Korean
 * translation `docs/configuration.ko.md`.
 *
 * @module
 */

import { listFields } from "../src/config/mod.ts";
import { configurationReference } from "./reference/configuration.ts";
import { ENGLISH } from "./reference/english.ts";
import { KOREAN } from "./reference/korean/mod.ts";

const fields = listFields();
Deno.writeTextFileSync("docs/configuration.md", configurationReference(fields, ENGLISH));
Deno.writeTextFileSync("docs/configuration.ko.md", configurationReference(fields, KOREAN));
