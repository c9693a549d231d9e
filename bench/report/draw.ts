/**
 * Drawing plots as SVG. The library asks for `NODE_ENV`, so that whoever draws needs that permission.
 *
 * @module
 */

import { init } from "echarts";
import type { Plot } from "./plots.ts";

/** The plot as an SVG document. */
export function draw({ option }: Plot): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, width: 960, height: 420 });
  try {
    chart.setOption(option);
    return `${chart.renderToSVGString()}\n`;
  } finally {
    chart.dispose();
  }
}
