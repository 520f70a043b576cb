/** The layout of the image: header words, the words that every block begins with, and the words of each kind of block. */

/** Raised when an older reader would misread the octets. */
export const imageFormat = 3;
/** Images of this format do not say which accounts zones belong to, and settings of steered records are plain JSON. */
export const firstImageFormat = 1;

// The header has a small buffer of its own, which the writer and all readers share.
export const headerFormat = 0;
export const headerSeed = 1;
export const headerMultiplier = 2;
/** The revision that readers pin; never 0. */
export const headerVisible = 3;
/** Numbers of the current node table and zone table. */
export const headerNodeTable = 4;
export const headerZoneTable = 5;
/** One cache line per reader: its pinned revision, or 0 between two batches. */
export const headerPins = 16;
export const wordsPerPin = 16;
export const readerSlots = 64;
export const headerWords = headerPins + readerSlots * wordsPerPin;

// An address: the index of a segment in the high bits, an offset in units of 8 octets in the low bits. 0 means none.
export const unitBits = 21;
export const unitOctets = 8;
export const unitMask = (1 << unitBits) - 1;
export const segmentOctets = 8 << unitBits;
export const firstSegmentOctets = 64 * 1024;

// Tables: pairs of words.
export const slotWords = 2;
export const slotAddress = 1;
export const emptySlot = 0;
/** The address in a slot whose block was removed: a probe continues past it. */
export const vacatedSlot = 1;

// Every block.
/** The revision of this version; 0 once no reader can be at an earlier revision. */
export const blockMade = 0;
/** The version that this version replaces. */
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

/** The writer numbers the views; all clients are in the first view so far. */
export const firstView = 0;

// A zone entry: the key is the view, and the labels are the apex name.
export const entryData = 5;
/** Linked zone: the data of its target, which replace its own; otherwise 0. */
export const entryTarget = 6;
/** The number of the account that the zone belongs to: links lead only to zones of the same account. */
export const entryAccount = 7;

// The data of a zone: one block without versions; its address is the zone's data id.
export const dataEntry = 4;
/** The apex node's newest version: for the writer only, like the next word. */
export const dataApex = 5;
/** First node of the list of all nodes. */
export const dataNodes = 6;
/** Number of node versions, visible or about to be freed, with a cut or a DNAME; 0 allows a shorter search. */
export const dataCuts = 7;
/** The number under which queries for the zone are counted. */
export const dataNumber = 8;
/** Number of RRsets, without the SOA record: for the writer only. */
export const dataRecords = 9;
/** Data of the first zone that is linked to this zone: for the writer only, like the next two words. */
export const dataLinks = 10;
/** Neighbours in the list of the zones linked to the same target. */
export const dataLinkNext = 11;
export const dataLinkBack = 12;
/** Length of the zone's id in the store, in octets, and the word at which it begins. */
export const dataIdOctets = 13;
export const dataId = 14;

// A node: the key is the data id, the labels are the name's below the apex. The RRset directory and the records follow.
/** Neighbours in the zone's list and number of names directly below: for the writer only. */
export const nodeNext = 5;
export const nodeBack = 6;
export const nodeChildren = 7;

export const flagAbsent = 1;
/** Replaced before it was ever visible, or removed from its table: the block is freed when it is reclaimed. */
export const flagDead = 2;
export const flagEntry = 4;
export const flagData = 8;
/** Zone entry: queries for this name are refused; zones linked to it are still answered. */
export const flagDisabled = 16;
export const flagCut = 32;
export const flagDname = 64;
/** The name `*` exists directly below. */
export const flagWildcardBelow = 128;
/** An RRset here answers address queries with its target's addresses. */
export const flagAsAddress = 256;
/** No longer a block: free for allocation. */
export const flagFree = 512;
/** No longer a block: unusable until its segment is emptied. */
export const flagGone = 1024;
/** Zone entry: its data made the engine fail and are not used for answers. */
export const flagShut = 2048;
/** Zone entry: a secondary zone that has expired, or was never transferred. */
export const flagExpired = 4096;
/** Zone entry: only secondaries get answers from the zone. */
export const flagHidden = 8192;
/** Zone entry: the customer has disabled the zone, and with it the zones linked to it; or a linked zone has no target. */
export const flagClosed = 16384;

// The directory has two words for each RRset: type | count << 16, then octets | flags << rrsetFlagsShift.
export const directoryWords = 2;
export const rrsetFlagsShift = 20;
/** The most octets of an RRset without `rrsetLarge`. */
export const rrsetOctetsMask = (1 << rrsetFlagsShift) - 1;

/** Mask for the number of names in RDATA that may be compressed: up to 2, from the offset `rrsetNameAt` on. */
export const rrsetNames = 3;
/** RDATA has a host name at the offset `rrsetNameAt`; the host's addresses belong in the additional section. */
export const rrsetTarget = 4;
export const rrsetNameAtShift = 3;
export const rrsetNameAtMask = 7;
/** Answers address queries with the addresses of the name in RDATA. */
export const rrsetAsAddress = 64;
/** Takes precedence over the node's own addresses. */
export const rrsetOverridesAddresses = 128;
/** Has its own TTL instead of the target's. */
export const rrsetOverridesTtl = 256;
/** Filters select among the records; the steering settings follow them. */
export const rrsetSteered = 512;
/** Linked record: its own TTL (4) and the name of the target record in wire format. */
export const rrsetLinked = 1024;
export const linkedName = 4;
/** The directory counts the octets in units of 16. Images before format 3 have no such RRsets. */
export const rrsetLarge = 2048;
export const largeUnit = 16;
/** The octets of an RRset from the second word of its entry in the directory, whose highest bit is `rrsetLarge`. */
export const rrsetOctets = (tail: number) => (tail < 0 ? (tail & rrsetOctetsMask) * largeUnit : tail & rrsetOctetsMask);

/** Each record begins with: owner as a pointer to the question (2), type (2), class (2), TTL (4), RDATA length (2). */
export const recordTtl = 6;
export const recordLength = 10;
export const recordRdata = 12;
