/** Records in memory, column by column, from one commit to the next. */
package org.hadoopmpsr.ingest.buffer;
