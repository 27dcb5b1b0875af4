import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameModel } from '#services/figures/gpu-model.ts'

test.each([
  ['RTX 4090', 'NVIDIA GeForce RTX 4090'],
  ['RTX 4070S', 'NVIDIA GeForce RTX 4070 SUPER'],
  ['RTX 4070S Ti', 'NVIDIA GeForce RTX 4070 Ti SUPER'],
  ['RTX 3090 Ti', 'NVIDIA GeForce RTX 3090 Ti'],
  ['GTX 1660 S', 'NVIDIA GeForce GTX 1660 SUPER'],
  ['GTX 1650 S', 'NVIDIA GeForce GTX 1650 SUPER'],
  ['GTX 1660 Ti', 'NVIDIA GeForce GTX 1660 Ti'],
  ['RTX PRO 6000 S', 'NVIDIA RTX PRO 6000 Blackwell Server Edition'],
  ['InstinctMI50', 'AMD Instinct MI50'],
  ['InstinctMI100', 'AMD Instinct MI100'],
  ['InstinctMI250X', 'AMD Instinct MI250X'],
  ['RTX 5090D', 'NVIDIA GeForce RTX 5090 D'],
  ['RTX 6000Ada', 'NVIDIA RTX 6000 Ada Generation'],
  ['RTX PRO 6000 WS', 'NVIDIA RTX PRO 6000 Blackwell Workstation Edition'],
  ['RTX A6000', 'NVIDIA RTX A6000'],
  ['Q RTX 8000', 'Quadro RTX 8000'],
  ['H100 SXM', 'NVIDIA H100 80GB HBM3'],
  ['H100 PCIE', 'NVIDIA H100 PCIe'],
  ['A100 SXM4', 'NVIDIA A100-SXM4-80GB'],
  ['GH200 SXM', 'NVIDIA GH200 480GB'],
  ['Tesla V100', 'Tesla V100-SXM2-32GB'],
  ['L40S', 'NVIDIA L40S'],
  ['RX 7900 XTX', 'Navi 31 [Radeon RX 7900 XT/7900 XTX]'],
])('%s is %s', (offered, found) => expect(isSameModel(offered, found)).toBe(true))

test.each([
  ['RTX 4090', 'NVIDIA GeForce RTX 3090'],
  ['RTX 4090', 'NVIDIA GeForce RTX 4090 Laptop GPU'],
  ['RTX 5090', 'NVIDIA GeForce RTX 5090 D'],
  ['RTX 4070S Ti', 'NVIDIA GeForce RTX 4070 Ti'],
  ['RTX 3080 Ti', 'NVIDIA GeForce RTX 3080'],
  ['GTX 1660 S', 'NVIDIA GeForce GTX 1660'],
  ['InstinctMI250X', 'AMD Instinct MI50'],
  ['RTX 6000Ada', 'NVIDIA RTX A6000'],
  ['H100 SXM', 'NVIDIA H100 PCIe'],
  ['A100 SXM4', 'NVIDIA A10'],
  ['L40S', 'NVIDIA L40'],
])('%s is not %s', (offered, found) => expect(isSameModel(offered, found)).toBe(false))

test.each([
  ['RTX 4090', 'Graphics Device'],
  ['Titan V', 'NVIDIA TITAN V'],
  ['RX 7900 XTX', '0x744c'],
  ['', ''],
])('nothing is known of %s and %s', (offered, found) => expect(isSameModel(offered, found)).toBeNull())

test('it goes both ways, and a name that has a number is itself, whatever stands in it', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 }), (one, other) => {
      expect(isSameModel(one, other)).toBe(isSameModel(other, one))
      expect(isSameModel(one, one)).not.toBe(false)
    }),
  )
})
