/** What stands where in the image: header words, the words that every block begins with, and the words of each kind. */

/** Changed when an older reader would misread the octets. */
export const imageFormat = 1;

// Header: its own small buffer, shared by all.
export const headerFormat = 0;
export const headerSeed = 1;
export const headerMultiplier = 2;
/** The revision that readers pin; never 0. */
export const headerVisible = 3;
/** Number of the node table and of the zone table in force. */
export const headerNodeTable = 4;
export const headerZoneTable = 5;
/** One cache line a reader: the revision that it has pinned, 0 when it reads nothing. */
export const headerPins = 16;
export const wordsPerPin = 16;
export const readerSlots = 64;
export const headerWords = headerPins + readerSlots * wordsPerPin;

// An address is a segment's index above and an offset in units of 8 octets below; 0 is nowhere.
export const unitBits = 21;
export const unitOctets = 8;
export const unitMask = (1 << unitBits) - 1;
export const segmentOctets = 8 << unitBits;
export const firstSegmentOctets = 64 * 1024;

// Tables: pairs of words.
export const slotWords = 2;
export const slotAddress = 1;
export const emptySlot = 0;
/** In place of an address: something stood here, so a probe goes on. */
export const vacatedSlot = 1;

// Every block.
/** The revision that made this version; 0 once no reader can be at an earlier one. */
export const blockMade = 0;
/** The version that this one replaces. */
export const blockPrevious = 1;
/** Flags in the low 16 bits, number of RRsets in the next 8, octets of the key's labels in the highest 8. */
export const blockShape = 2;
/** Size in units. */
export const blockUnits = 3;
/** Nodes and zone entries are found by this word and the labels. */
export const blockKey = 4;
export const blockLabels = 8;

export const rrsetsShift = 16;
export const labelsShift = 24;

/** Views are numbered by the writer; nothing chooses another than the first yet. */
export const firstView = 0;

// A zone entry: key is the view, labels are the apex name with its root octet.
export const entryData = 5;
/** Of a linked zone: the data that are answered from instead of its own; else 0. */
export const entryTarget = 6;

// The data of a zone: one block, never replaced; its address is the zone's data id.
export const dataEntry = 4;
/** The apex node's newest version: for the writer only, like the next. */
export const dataApex = 5;
/** First node of the list of all nodes. */
export const dataNodes = 6;
/** Versions of nodes, visible or about to be freed, that have a cut or a DNAME: 0 spares the walk. */
export const dataCuts = 7;
/** Under which queries for the zone are counted. */
export const dataNumber = 8;
/** Number of RRsets, the SOA record not counted: for the writer only. */
export const dataRecords = 9;
/** Data of the first zone that is linked to this one: for the writer only, like the next. */
export const dataLinks = 10;
/** Neighbours among the zones that are linked to the same one. */
export const dataLinkNext = 11;
export const dataLinkBack = 12;
/** Octets of the zone's id in the store, and where they begin. */
export const dataIdOctets = 13;
export const dataId = 14;

// A node: key is the data id, labels are those below the apex; then the RRset directory, then the records.
/** Neighbours in the zone's list and number of names directly below: for the writer only. */
export const nodeNext = 5;
export const nodeBack = 6;
export const nodeChildren = 7;

export const flagAbsent = 1;
/** Superseded before it was ever visible, or taken out of its table: freed when its turn comes. */
export const flagDead = 2;
export const flagEntry = 4;
export const flagData = 8;
/** Of a zone's entry: under this name nothing is answered. */
export const flagDisabled = 16;
export const flagCut = 32;
export const flagDname = 64;
/** The name `*` exists directly below. */
export const flagWildcardBelow = 128;
/** An RRset here answers address queries with its target's addresses. */
export const flagAsAddress = 256;
/** No block any more: it waits to be given out again, or for its segment to be emptied. */
export const flagFree = 512;
export const flagGone = 1024;
/** Of a zone's entry: its data made the engine fail, so nothing is answered from them. */
export const flagShut = 2048;
/** Of a zone's entry: there is nothing to answer from. */
export const flagExpired = 4096;
/** Of a zone's entry: it is for its secondaries alone. */
export const flagHidden = 8192;
/** Of a zone's entry: its owner wants nothing answered from its data. */
export const flagClosed = 16384;

// The directory has two words for each RRset: type | count << 16, then octets | flags << rrsetFlagsShift.
export const directoryWords = 2;
export const rrsetFlagsShift = 20;
export const rrsetOctetsMask = (1 << rrsetFlagsShift) - 1;

/** Names in RDATA that may be compressed: none, one or two, from `rrsetNameAt` on. */
export const rrsetNames = 3;
/** RDATA names a host whose addresses are worth adding, at `rrsetNameAt`. */
export const rrsetTarget = 4;
export const rrsetNameAtShift = 3;
export const rrsetNameAtMask = 7;
/** Answers address queries with the addresses of the name in RDATA. */
export const rrsetAsAddress = 64;
/** Goes before the node's own addresses. */
export const rrsetOverridesAddresses = 128;
/** Keeps its own TTL whatever the target's is. */
export const rrsetOverridesTtl = 256;
/** Filters choose among the records; their recipe stands behind them. */
export const rrsetSteered = 512;
/** Of a linked record: a TTL of its own (4) and the name of the record that it answers with, in wire format. */
export const rrsetLinked = 1024;
export const linkedName = 4;

/** Each record begins with: owner as a pointer to the question (2), type (2), class (2), TTL (4), RDATA length (2). */
export const recordTtl = 6;
export const recordLength = 10;
export const recordRdata = 12;
