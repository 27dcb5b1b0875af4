import { join } from 'node:path'
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses'

/**
 * Nothing of Electron that Slipway does not use can be reached from outside: neither as a Node, nor by a debugger,
 * nor with other code than what was packed and signed. Read back by tests/integration/packaging.
 */
export const fuses = {
  [FuseV1Options.RunAsNode]: false,
  // There are no cookies to protect, and the key for it would be in the keychain, where macOS asks about it for an app
  // that is not signed. It cannot be taken back: what was encrypted stays so.
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // On macOS and Windows only: Electron has it for no other system.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // What WebAssembly needs to be fast; it lets nobody in.
  [FuseV1Options.WasmTrapHandlers]: true,
}

/** electron-builder's hook between packing and signing: the signature covers the fuses. */
export default async function afterPack({ appOutDir, electronPlatformName, packager }) {
  // The two halves of a universal app are joined first.
  if (appOutDir.endsWith('-temp')) return
  await flipFuses(executableIn(appOutDir, electronPlatformName, packager), {
    version: FuseVersion.V1,
    // An Electron with a fuse that is not named here is not packed.
    strictlyRequireAllFuses: true,
    resetAdHocDarwinSignature: electronPlatformName === 'darwin',
    ...fuses,
  })
}

function executableIn(folder, platform, { appInfo, executableName }) {
  switch (platform) {
    case 'darwin':
    case 'mas':
      return join(folder, `${appInfo.productFilename}.app`)
    case 'win32':
      return join(folder, `${appInfo.productFilename}.exe`)
    default:
      return join(folder, executableName)
  }
}
