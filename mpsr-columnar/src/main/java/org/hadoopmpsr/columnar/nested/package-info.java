/** Types and nested values as Parquet has them. */
package org.hadoopmpsr.columnar.nested;
