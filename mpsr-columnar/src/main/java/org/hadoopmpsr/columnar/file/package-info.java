/** Files of a replica group with the statistics that the NameNode keeps of them. */
package org.hadoopmpsr.columnar.file;
