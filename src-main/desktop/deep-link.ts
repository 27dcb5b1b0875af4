/** The scheme that the system hands to Slipway. */
export const deepLinkScheme = 'slipway'

/**
 * The instance that `slipway://instance/4711` names; `null` for everything else. Anybody can write a link, so only this
 * one shape is one: no other host or case, no sign, no zero in front, no end of a path, query or fragment.
 */
export function parseDeepLink(link: string): { readonly instanceId: number } | null {
  const id = /^slipway:\/\/instance\/([1-9]\d{0,14})$/.exec(link)?.[1]
  return id === undefined ? null : { instanceId: Number(id) }
}

/** The arguments of a start that are links for Slipway, or pass themselves off as such. */
export function deepLinksAmong(args: readonly string[]): readonly string[] {
  return args.filter((arg) => arg.toLowerCase().startsWith(`${deepLinkScheme}:`))
}
