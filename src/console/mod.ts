/**
 * The console: one web page at `/console`, its files built into the program. It holds no data: the page asks
 * the admin routes for all that it shows.
 *
 * @module
 */

export { type ConsoleAsset, consoleAssets } from "./assets.ts";
export { consoleRoutes } from "./console_routes.ts";
