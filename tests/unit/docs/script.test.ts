import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const top = join(import.meta.dirname, '../../..')

test('the guide prints the script that runs on instances as it is', async () => {
  const script = await readFile(join(top, 'resources/machine/guard.sh'), 'utf8')
  const page = await readFile(join(top, 'docs/guide/rules-on-the-instance.md'), 'utf8')
  expect(page).toContain(`\n\`\`\`sh\n${script}\`\`\`\n`)
})
