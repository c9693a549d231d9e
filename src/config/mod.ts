/**
 * The configuration: from the YAML file and `${VAR}` to one frozen, fully defaulted value, with errors that
 * name the path and hold no secret; and the command line.
 *
 * Everything here is pure. Reading files, the environment and the arguments are handed in by `main.ts`.
 *
 * @module
 */

export { type BackendHealthCheck, backendHealthCheck } from "./backend_health.ts";
export type { BindAddress } from "./bind_address.ts";
export { type Command, type ConfiguredCommand, HELP, parseCommand } from "./cli.ts";
export { formatDuration, MAX_DURATION_MS } from "./duration.ts";
export { type ConfigField, listFields } from "./field_list.ts";
export type { GetVariable } from "./interpolate.ts";
export { ConfigError, type Issue, issueLine } from "./issues.ts";
export { loadConfig, type LoadedConfig, type LoadOptions, searchPaths } from "./load.ts";
export { MASK, maskedConfig, printConfig } from "./mask.ts";
export { parseConfig } from "./parse.ts";
export {
  permissionFlags,
  type PermissionOptions,
  type Permissions,
  requiredPermissions,
} from "./permissions.ts";
export { appliedFields, restartFields } from "./reload.ts";
export type { ApiKeyConfig, BackendConfig, Config, ModelConfig } from "./schema/config.ts";
export type { ReloadClass } from "./schema/field.ts";
export { unreadableReason } from "./unreadable.ts";
export { type ConfigWarning, configWarnings, type WarningOptions } from "./warnings.ts";
export { parseYaml } from "./yaml.ts";
