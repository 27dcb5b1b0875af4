/** The part of Electron's app that is used here. */
export interface SwitchSource {
  readonly isPackaged: boolean
  readonly commandLine: {
    readonly hasSwitch: (name: string) => boolean
    readonly removeSwitch: (name: string) => void
  }
}

/** By these Chromium lets other programs see and control its pages; no fuse of Electron's covers them. */
const debuggingSwitches = ['remote-debugging-port', 'remote-debugging-pipe'] as const

/**
 * Keeps an installed Slipway from being controlled through Chromium's debugger. To be called before anything else:
 * Electron reads the command line again once main is loaded, and opens the debugger before it is ready.
 */
export function refuseRemoteDebugging({ isPackaged, commandLine }: SwitchSource): void {
  if (!isPackaged) return
  for (const name of debuggingSwitches) commandLine.removeSwitch(name)
}

/**
 * Whether an installed Slipway was started without Chromium's sandbox: by its user, by an AppImage on a system without
 * user namespaces, or by ELECTRON_DISABLE_SANDBOX, of which Electron makes the same switch.
 */
export function isSandboxOff({ isPackaged, commandLine }: SwitchSource): boolean {
  return isPackaged && commandLine.hasSwitch('no-sandbox')
}
