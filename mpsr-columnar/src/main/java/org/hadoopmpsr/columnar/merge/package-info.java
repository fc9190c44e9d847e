/** The merge of sorted files of one partition into sorted files of a target size. */
package org.hadoopmpsr.columnar.merge;
