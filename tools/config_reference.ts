/**
 * `deno task docs:config`: prints the reference of the configuration, `docs/configuration.md`.
 *
 * @module
 */

import { listFields } from "../src/config/mod.ts";
import { configurationReference } from "./reference/configuration.ts";

Deno.stdout.writeSync(new TextEncoder().encode(configurationReference(listFields())));
