/** A build's version, as people are told it; one from the sources has data and secrets of its own. */
export function versionText({
  version,
  isDevelopment,
}: {
  readonly version: string
  readonly isDevelopment: boolean
}): string {
  return isDevelopment ? `${version} (development build)` : version
}
