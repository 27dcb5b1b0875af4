import { dirname, join } from 'node:path'
import type { App } from 'electron'
import type { AppDependencies } from '../app/dependencies.ts'
import type { AppIdentity } from './app-identity.ts'
import { isSandboxOff } from './switches.ts'

/** Which program this is, and what it runs in. */
export function tellProgramFacts(app: App, { isDevelopment }: AppIdentity): AppDependencies['about'] {
  const { versions, platform, arch } = process
  return {
    version: app.getVersion(),
    isDevelopment,
    electron: versions['electron'] ?? null,
    chrome: versions['chrome'] ?? null,
    node: versions.node,
    platform: `${platform} ${arch}`,
    isSandboxOff: isSandboxOff(app),
  }
}

/** @param built the folder of what the build collected */
export function tellLicenseFiles(
  app: Pick<App, 'getAppPath'>,
  built: string,
): AppDependencies['licenseFiles'] {
  return {
    packages: join(built, 'packages.json'),
    // In an app for macOS among its resources, elsewhere beside the executable.
    chromium: [dirname(app.getAppPath()), dirname(process.execPath)].map((folder) =>
      join(folder, 'LICENSES.chromium.html'),
    ),
  }
}
