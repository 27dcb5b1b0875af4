/** What a start without Chromium's sandbox means, and what to do; `null` with it. @param platform such as `linux x64` */
export function sandboxText({
  isSandboxOff,
  platform,
}: {
  readonly isSandboxOff: boolean
  readonly platform: string
}): { readonly title: string; readonly text: string } | null {
  if (!isSandboxOff) return null
  return {
    title: 'The sandbox is off',
    text: `An attack on this window can reach your files, keychain, and instances. Close Slipway, then start it without --no-sandbox.${
      platform.startsWith('linux')
        ? ' If the AppImage adds that option, install the deb or rpm package, or turn on unprivileged user namespaces.'
        : ''
    }`,
  }
}
