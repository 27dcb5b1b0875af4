import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptText } from '#services/guards/on-instance/script-text.ts'

const top = join(import.meta.dirname, '../../..')

test('the guide prints the script that runs on instances as it is', async () => {
  const script = await scriptText(join(top, 'resources/machine'))
  const page = await readFile(join(top, 'docs/guide/rules-on-the-instance.md'), 'utf8')
  expect(page).toContain(`\n\`\`\`sh\n${script}\`\`\`\n`)
})
