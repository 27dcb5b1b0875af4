import { existsSync, realpathSync } from 'node:fs'

/**
 * Whether this program runs out of the AppImage that its environment names. Another one's variables are there when
 * Slipway was installed as a package and started from a terminal that is an AppImage itself: an update would delete that
 * file, and stand in its place.
 */
export function isOwnAppImage({
  env,
  execPath,
}: {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Of this program, without links in it. */
  readonly execPath: string
}): boolean {
  // The runtime of an AppImage says where its file is, and where it has laid out what is in it.
  const [file, folder] = [env['APPIMAGE'], env['APPDIR']]
  if (!file || !folder || !existsSync(folder)) return false
  return execPath.startsWith(`${realpathSync(folder)}/`)
}
