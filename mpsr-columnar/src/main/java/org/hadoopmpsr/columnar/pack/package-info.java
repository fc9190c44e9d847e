/** How numbers are packed in the pages of Parquet files. */
package org.hadoopmpsr.columnar.pack;
