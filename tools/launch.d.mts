// Types of launch.mjs, which is plain JavaScript because it runs before anything is checked or built.

export interface LaunchCommand {
  readonly host: 'electron' | 'chromium'
  readonly command: string
  readonly args: string[]
  /** To be added to the environment. */
  readonly env: Record<string, string>
  /** Why it is not Electron, for the user. */
  readonly note: string | null
}

/** @param folder of the program; Slipway by default */
export function launchCommand(folder?: string): LaunchCommand
export function developmentCommand(): LaunchCommand
export function ensureBuilt(): Promise<void>
