export function layerRows(): readonly (readonly [layer: string, mayImport: string])[]
