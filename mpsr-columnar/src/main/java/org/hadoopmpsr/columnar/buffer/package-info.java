/** Records in memory, column by column. */
package org.hadoopmpsr.columnar.buffer;
