/** The steps of the first run, in order; their keys stand in the page's address. */
export const steps = [
  { key: 'connect', title: 'Connect', text: 'Service and key' },
  { key: 'machine', title: 'This computer', text: 'Keychain and SSH' },
  { key: 'ready', title: 'Ready', text: 'Find a machine' },
] as const
export type StepKey = (typeof steps)[number]['key']

/** The step of an address; whoever has no account begins with the first. */
export function stepOf(asked: unknown, connected: boolean): StepKey {
  const known = steps.find((step) => step.key === asked)
  return connected && known ? known.key : 'connect'
}
