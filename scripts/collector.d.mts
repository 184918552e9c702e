export declare const collectorFlags: (cores?: number) => string[]
