/** What seeded offers are put together from: parts as one finds them in rented machines. */

export interface GpuModel {
  readonly name: string
  readonly arch: string
  readonly ramMb: number
  readonly memoryGbPerSecond: number
  readonly maxPowerW: number
  readonly tflops: number
  /** Compute capability × 100. */
  readonly computeCap: number
  /** Typical price of one. */
  readonly perHourUsd: number
  readonly dlperf: number
}

const gpu = (
  name: string,
  arch: string,
  ramMb: number,
  memoryGbPerSecond: number,
  maxPowerW: number,
  tflops: number,
  computeCap: number,
  perHourUsd: number,
  dlperf: number,
): GpuModel => ({ name, arch, ramMb, memoryGbPerSecond, maxPowerW, tflops, computeCap, perHourUsd, dlperf })

export const GPU_MODELS = [
  gpu('RTX 4090', 'nvidia', 24564, 860, 450, 81.6, 890, 0.38, 92),
  gpu('RTX 3090', 'nvidia', 24576, 795, 350, 35.6, 860, 0.19, 46),
  gpu('RTX 3080', 'nvidia', 10240, 640, 320, 29.8, 860, 0.11, 37),
  gpu('RTX 4080', 'nvidia', 16376, 610, 320, 48.7, 890, 0.24, 66),
  gpu('RTX 5090', 'nvidia', 32607, 1510, 575, 104.8, 1200, 0.58, 148),
  gpu('RTX A6000', 'nvidia', 49140, 640, 300, 38.7, 860, 0.46, 48),
  gpu('A100 SXM4', 'nvidia', 81920, 1750, 400, 19.5, 800, 0.98, 115),
  gpu('A100 PCIE', 'nvidia', 40960, 1320, 250, 19.5, 800, 0.72, 96),
  gpu('H100 SXM', 'nvidia', 81559, 2850, 700, 66.9, 900, 2.15, 330),
  gpu('H200', 'nvidia', 143771, 4020, 700, 66.9, 900, 2.95, 390),
  gpu('L40S', 'nvidia', 46068, 710, 350, 91.6, 890, 0.64, 88),
  gpu('Tesla V100', 'nvidia', 32510, 760, 300, 15.7, 700, 0.21, 39),
  gpu('Tesla T4', 'nvidia', 15360, 240, 70, 8.1, 750, 0.1, 16),
  gpu('GTX 1080 Ti', 'nvidia', 11264, 410, 250, 11.3, 610, 0.07, 14),
  gpu('RX 7900 XTX', 'amd', 24560, 830, 355, 61.4, 1100, 0.29, 40),
] as const

export interface CpuModel {
  readonly name: string
  readonly cores: number
  readonly ghz: number
  readonly mainboard: string
}

export const CPU_MODELS = [
  { name: 'AMD EPYC 7742 64-Core Processor', cores: 128, ghz: 3.4, mainboard: 'ROME2D32GM-2T' },
  { name: 'AMD EPYC 9554 64-Core Processor', cores: 128, ghz: 3.76, mainboard: 'H13SSL-N' },
  { name: 'Xeon® E5-2680 v4', cores: 56, ghz: 3.3, mainboard: 'X10DRG-Q' },
  { name: 'Xeon® Gold 6248R', cores: 96, ghz: 4, mainboard: 'X11DPG-OT-CPU' },
  { name: 'AMD Ryzen 9 7950X 16-Core Processor', cores: 32, ghz: 5.8, mainboard: 'X670E Taichi' },
  { name: 'Core™ i9-13900K', cores: 32, ghz: 5.8, mainboard: 'PRIME Z790-P' },
  { name: 'AMD Ryzen Threadripper PRO 5975WX 32-Cores', cores: 64, ghz: 4.5, mainboard: 'WRX80 Creator' },
] as const satisfies readonly CpuModel[]

export const LOCATIONS = [
  'Quebec, CA',
  'California, US',
  'Texas, US',
  'Oregon, US',
  'Sweden, SE',
  'Norway, NO',
  'Germany, DE',
  'Poland, PL',
  'Spain, ES',
  'Iceland, IS',
  'Japan, JP',
  'South Korea, KR',
  'Taiwan, TW',
  'Brazil, BR',
  'Australia, AU',
] as const

export const DISK_NAMES = [
  'Samsung SSD 990 PRO 4TB',
  'WD_BLACK SN850X',
  'INTEL SSDPE2KX040T8',
  'KINGSTON SNV2S2000G',
  'Micron 7450 MTFDKCC3T8TFR',
] as const

/** Driver version, and the newest CUDA that it takes. */
export const DRIVERS = [
  ['580.65.06', 13],
  ['570.172.08', 12.8],
  ['550.163.01', 12.4],
  ['535.247.01', 12.2],
  ['470.256.02', 11.4],
] as const
