/** The quotas of dataset directories, which hold for what datasets keep in the store too. */
package org.hadoopmpsr.namenode.quota;
