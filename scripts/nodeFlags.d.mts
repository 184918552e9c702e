export declare const nodeFlags: (cores?: number) => string[]
