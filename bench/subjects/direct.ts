import type { Subject } from "../run/subject.ts";

/** Nothing in between: what the driver, the kernel and the machine take by themselves. */
export const subject: Subject = {
  name: "direct",
  title: "direct",
  order: 0,
  path: "/",
};
