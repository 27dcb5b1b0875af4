interface Runtime {
  /** `null` where main runs without it. */
  readonly electron: string | null
  readonly chrome: string | null
  readonly node: string
}

/** What main runs in, with its versions. */
export function runtimeText({ electron, chrome, node }: Runtime): string {
  const versions = [electron && `Electron ${electron}`, chrome && `Chrome ${chrome}`, `Node ${node}`]
  return `${versions.filter(Boolean).join(', ')}${electron === null ? ', without Electron' : ''}`
}
