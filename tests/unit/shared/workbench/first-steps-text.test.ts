import { expect, test } from 'vitest'
import { firstStepKinds } from '#domain/workbench/first-steps.ts'
import { firstStepText, type FirstStepPrices } from '#shared/workbench/first-steps-text.ts'

const nothing: FirstStepPrices = { offerPerHourUsd: null, instance: null }
const running: FirstStepPrices = {
  offerPerHourUsd: 0.0867,
  instance: { id: 7, isRunning: true, perHourUsd: 0.09, diskPerHourUsd: 0.0031 },
}

test('each step says what it costs in words of its own, and leads to a page', () => {
  for (const prices of [nothing, running]) {
    const texts = firstStepKinds.map((kind) => firstStepText(kind, prices))
    for (const { cost, to } of texts) {
      expect(cost).toMatch(/free|credit|charged|add it/i)
      expect(cost).toMatch(/\.$/)
      expect(to).toMatch(/^\//)
    }
    expect(new Set(texts.map(({ title }) => title)).size).toBe(firstStepKinds.length)
  }
})

test('prices stand where they are known, and nowhere a 0 for one that is not', () => {
  expect(firstStepText('rent', running).cost).toContain('$0.0867/h')
  expect(firstStepText('shell', running).cost).toContain('$0.09/h')
  expect(firstStepText('end', running).cost).toContain('$0.0031/h')
  for (const kind of firstStepKinds) expect(firstStepText(kind, nothing).cost).not.toMatch(/\$|–/)
})

test('the shell opens on a machine that runs; before, the way leads to the list', () => {
  expect(firstStepText('shell', running).to).toBe('/terminals?open=7')
  const booting = {
    ...running,
    instance: { id: 7, isRunning: false, perHourUsd: 0.09, diskPerHourUsd: null },
  }
  expect(firstStepText('shell', booting)).toMatchObject({ to: '/instances' })
  expect(firstStepText('shell', booting).cost).toContain('1–5 minutes')
})
