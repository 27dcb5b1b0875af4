import type { TemplateContent, TemplateField } from './template-content.ts'

/** How an image is started (service API 2.2). */
export const runtypes = ['ssh', 'jupyter', 'args'] as const
export type Runtype = (typeof runtypes)[number]

/** SSH is no part of it: nothing says that it needs a run type (service API 2.2). */
const switchesOf: Readonly<Record<Runtype, readonly TemplateField[]>> = {
  ssh: [],
  jupyter: ['use_jupyter_lab', 'jup_direct', 'jupyter_dir'],
  args: ['args_str'],
}

/** Every field that matters to some of the run types only. */
const runtypeSwitches: readonly TemplateField[] = [...new Set(Object.values(switchesOf).flat())]

export function isRuntype(text: string): text is Runtype {
  return runtypes.some((runtype) => runtype === text)
}

/** The switches that matter to a run type, in the order in which they are asked; all of them to an unknown one. */
function switchesFor(runtype: string): readonly TemplateField[] {
  return isRuntype(runtype) ? switchesOf[runtype] : runtypeSwitches
}

/** The switches that matter to other run types only. */
export function hiddenSwitches(runtype: string): readonly TemplateField[] {
  return runtypeSwitches.filter((field) => !switchesFor(runtype).includes(field))
}

/** What a run type begins with when it is chosen: `ssh` with a direct connection, as the service recommends. */
export function switchesToBeginWith(
  runtype: Runtype,
): Partial<Pick<TemplateContent, 'use_ssh' | 'ssh_direct'>> {
  return runtype === 'ssh' ? { use_ssh: true, ssh_direct: true } : {}
}
