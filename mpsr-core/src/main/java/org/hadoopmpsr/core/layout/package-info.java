/** Where things lie in the namespace: store directory, partition directories, file names. */
package org.hadoopmpsr.core.layout;
