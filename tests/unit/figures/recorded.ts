/** What tools print, in the form that `resources/machine/figures.sh` asks for. */
export const recorded = {
  one: {
    nvidia:
      '0, GPU-5f8a2f8e-0c3e-2a8a-6f61-8d3e6f3f2c11, NVIDIA GeForce RTX 4090, 37, 8321, 24564, 61, 214.33, 450.00, 2520\n',
    apps: 'GPU-5f8a2f8e-0c3e-2a8a-6f61-8d3e6f3f2c11, 4117, 8192, /usr/bin/python3\n',
  },
  eight: {
    nvidia: Array.from(
      { length: 8 },
      (_, index) =>
        `${index}, GPU-0000000${index}-aaaa-bbbb-cccc-dddddddddddd, NVIDIA H100 80GB HBM3, ${index * 12}, ${index * 1000}, 81559, ${30 + index}, ${70 + index}.10, 700.00, 1980`,
    ).join('\n'),
    apps: '',
  },
  none: { nvidia: 'No devices were found\nexit 6\n', apps: 'No devices were found\nexit 6\n' },
  /** In MIG mode a GPU has no use of its own. */
  mig: {
    nvidia:
      '0, GPU-11111111-2222-3333-4444-555555555555, NVIDIA A100-SXM4-80GB, [N/A], 10240, 81920, 41, 88.21, 400.00, 1410\n',
    apps: 'MIG-99999999-8888-7777-6666-555555555555, 77, [N/A], python\n',
  },
  driverError: {
    nvidia:
      "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n\nexit 9\n",
    apps: '',
  },
  lost: {
    nvidia: [
      '0, GPU-11111111-2222-3333-4444-555555555555, NVIDIA A10, 0, 0, 23028, 31, 16.02, 150.00, 210',
      '1, GPU-21111111-2222-3333-4444-555555555555, NVIDIA A10, [Unknown Error], [Unknown Error], 23028, [Unknown Error], [Unknown Error], [Unknown Error], [Unknown Error]',
    ].join('\n'),
    apps: '',
  },
  rocm: {
    rocm: `WARNING: AMD GPU device(s) is/are in a low-power state.\n${JSON.stringify({
      card0: {
        'GPU use (%)': '12',
        'VRAM Total Memory (B)': '206141652992',
        'VRAM Total Used Memory (B)': '297418752',
        'Temperature (Sensor junction) (C)': '44.0',
        'Temperature (Sensor memory) (C)': '38.0',
        'Current Socket Graphics Package Power (W)': '141.0',
        'sclk clock speed:': '(132Mhz)',
        'Card Series': 'AMD Instinct MI300X OAM',
      },
      system: { 'Driver version': '6.10.5' },
    })}\n`,
  },
} as const
