import { expect, test } from 'vitest'
import { sandboxText } from '../../../../src-renderer/workbench/banners/sandbox-text.ts'

test('with the sandbox there is nothing to say', () => {
  expect(sandboxText({ isSandboxOff: false, platform: 'linux x64' })).toBeNull()
})

test('without it, what it means and what to do; of AppImages on Linux only', () => {
  const linux = sandboxText({ isSandboxOff: true, platform: 'linux x64' })
  expect(linux?.text).toMatch(/can reach your files.*without --no-sandbox.*deb or rpm/)
  const windows = sandboxText({ isSandboxOff: true, platform: 'win32 x64' })
  expect(windows?.text).toMatch(/can reach your files.*without --no-sandbox\.$/)
})
