/** Electron's fuses by their number (`FuseV1Options`), and whether each is on. */
export const fuses: Readonly<Record<string, boolean>>

/** electron-builder's hook, with the part of what it gives that is used. */
export default function afterPack(context: {
  readonly appOutDir: string
  readonly electronPlatformName: string
  readonly packager: {
    readonly executableName: string
    readonly appInfo: { readonly productFilename: string }
  }
}): Promise<void>
