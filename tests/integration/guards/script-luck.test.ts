import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { waitFor } from '../../support/wait-for.ts'
import { actingService, instanceWith, orderOf, script, shells, watchersIn } from './guard-script.ts'

const day = 24 * 3600
const put = 'PUT /api/v0/instances/5/ {"state":"stopped"} 200'

describe.each(shells)('%s', (shell) => {
  test.each([
    ['on', day],
    ['back', -day],
  ])('the instance’s clock is set %s by a day: every rule keeps its time', async (_, by) => {
    const { api, changes } = await actingService()
    const { run, rule, stub, toldState } = await instanceWith(shell, 'curl')
    await run('arm', orderOf(api, ['a destroy after 600 -', 'b stop after 8 -', 'c destroy idle 600 -']))
    await stub('date', `echo $(($(/bin/date +%s) + ${by}))`)
    const from = Date.now()
    await waitFor(() => expect(changes()).toEqual([put]))
    const { rules, acted, uptime } = await run('state')
    for (const one of rules.filter(({ id }) => id !== 'b'))
      expect(one, 'what is to come later').toMatchObject({ phase: 'waiting', tries: 0, waits: '' })
    expect(Number(rules[0]?.left)).toBeGreaterThan(540)
    // What the clock is for: it's told when something was done, as well as the instance knows.
    expect(Math.abs(Number(acted[0]?.['at']) - by - from / 1000)).toBeLessThan(60)
    await stub('date', 'exec /bin/date "$@"')
    await waitFor(async () => expect((await toldState()).uptime).toBeGreaterThan(uptime + 2))
    expect(await rule()).toMatchObject({ id: 'a', phase: 'waiting' })
    expect(changes()).toHaveLength(1)
  })

  test('goes on although its script is edited, and runs nothing of that', async () => {
    const { api, changes } = await actingService()
    const { run, folder } = await instanceWith(shell, 'curl')
    await run('arm', orderOf(api, ['a stop after 5 -']))
    // In place, as some editors write; longer than the script, whatever of it has been read.
    const file = join(folder, 'guard.sh')
    await writeFile(file, `touch ${folder}/taken\n`.repeat(2_000))
    await waitFor(() => expect(changes()).toEqual([put]))
    // Without its lock it ends by itself.
    await rm(join(folder, 'lock'), { recursive: true })
    await waitFor(async () => expect(await watchersIn(folder)).toEqual([]))
    await expect(readFile(join(folder, 'taken'))).rejects.toThrow('ENOENT')
    await writeFile(file, script)
  })
})
