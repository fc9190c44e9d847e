/** The content hash: equal for equal sets of records, in whatever order and files they lie. */
package org.hadoopmpsr.core.hash;
