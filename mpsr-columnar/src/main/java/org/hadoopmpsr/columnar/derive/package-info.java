/** Records of one group, written as files of another. */
package org.hadoopmpsr.columnar.derive;
