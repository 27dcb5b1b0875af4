import { pageOrigin } from '../../contract/ports.ts'

/** Where the page is loaded from, and the one origin that is then trusted. */
export interface PageAddress {
  readonly origin: string
  readonly url: string
}

/**
 * The page's own address; or the development server's, which electron-vite names in ELECTRON_RENDERER_URL.
 * An installed app never looks at the variable: whoever can set it could otherwise bring their own page.
 */
export function pageAddress(options: {
  readonly isPackaged: boolean
  readonly developmentUrl: string | undefined
}): PageAddress {
  if (options.isPackaged || !options.developmentUrl)
    return { origin: pageOrigin, url: `${pageOrigin}/index.html` }
  const { origin, href } = new URL(options.developmentUrl)
  return { origin, url: href }
}
