export { MANDATORY_CASES, readCases, type CaseFile, type FormatCase } from './cases.js';
export { cutsOf, generator, piecesOf, randomPieces, type Cut } from './cuts.js';
export { describeFormats, type DescribeOptions } from './describe-formats.js';
export { hostileString, markerSoup, markersOf } from './hostile.js';
export { essence, faultOf, read, type Reading } from './invariants.js';
